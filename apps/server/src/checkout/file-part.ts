/**
 * The content of the first part of a `multipart/form-data` body that has a file's name (RFC 7578);
 * empty where there is none.
 */
export function filePart(contentType: string | undefined, body: Buffer): Buffer {
  const [, quoted, bare] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return Buffer.alloc(0);
  const line = Buffer.from(`--${boundary}`);
  let from = body.indexOf(line);
  while (from >= 0) {
    const to = body.indexOf(Buffer.concat([Buffer.from('\r\n'), line]), from + line.length);
    if (to < 0) break;
    const head = body.indexOf('\r\n\r\n', from);
    if (head >= 0 && head < to) {
      const named = /^content-disposition:[^\r\n]*;\s*filename=/im;
      if (named.test(body.toString('latin1', from, head))) return body.subarray(head + 4, to);
    }
    from = to + 2;
  }
  return Buffer.alloc(0);
}
