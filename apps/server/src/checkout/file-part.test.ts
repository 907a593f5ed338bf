import { expect, test } from 'vitest';
import { filePart } from './file-part.ts';

const PART =
  'content-disposition: form-data; name="picture"; filename="a.png"\r\ncontent-type: image/png';
const body = (...parts: readonly string[]) =>
  Buffer.from(`${parts.map((part) => `--x-1\r\n${part}\r\n`).join('')}--x-1--\r\n`, 'latin1');

test.each([
  [
    'the file',
    'multipart/form-data; boundary=x-1',
    body(`${PART}\r\n\r\n\x89PNG\r\n--x`),
    '\x89PNG\r\n--x',
  ],
  ['a boundary in quotes', 'multipart/form-data; boundary="x-1"', body(`${PART}\r\n\r\nA`), 'A'],
  [
    'a field before it',
    'multipart/form-data; boundary=x-1',
    body('Content-Disposition: form-data; name="a"\r\n\r\nfilename=', `${PART}\r\n\r\nA`),
    'A',
  ],
  [
    'no file',
    'multipart/form-data; boundary=x-1',
    body('content-disposition: form-data; name="a"\r\n\r\nb'),
    '',
  ],
  ['no boundary', 'multipart/form-data', body(`${PART}\r\n\r\nA`), ''],
  ['another boundary', 'multipart/form-data; boundary=y', body(`${PART}\r\n\r\nA`), ''],
  [
    'a part without an end',
    'multipart/form-data; boundary=x-1',
    Buffer.from(`--x-1\r\n${PART}\r\n\r\nA`),
    '',
  ],
  ['a part without a head', 'multipart/form-data; boundary=x-1', body('A'), ''],
  ['nothing', 'multipart/form-data; boundary=x-1', Buffer.alloc(0), ''],
])('%s', async (_name, type, content, file) => {
  expect((await filePart(type, content)).toString('latin1')).toBe(file);
});
