/**
 * Orders text by its UTF-8 bytes without encoding it. Code units give the same order except that
 * surrogates, which stand for the highest code points, sort below U+E000 to U+FFFF.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a === b) continue;
    if (isSurrogate(a) && b >= 0xe000) return 1;
    if (isSurrogate(b) && a >= 0xe000) return -1;
    return a - b;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
