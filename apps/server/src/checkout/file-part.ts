/**
 * The content of the first file of a `multipart/form-data` body (RFC 7578); empty where there is
 * none, or the body cannot be read.
 */
export async function filePart(contentType: string | undefined, body: Buffer): Promise<Buffer> {
  try {
    const headers = { 'content-type': contentType ?? '' };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    for (const value of form.values())
      if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return Buffer.alloc(0);
}
