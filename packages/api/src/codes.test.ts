import { expect, test } from 'vitest';
import { CODES } from './codes.ts';

const rows = Object.entries(CODES).map(
  ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
);
const PAGE = `# Errors

The operator, member and portal faces and the payment page refuse with
\`{"error": "…", "code": "…"}\`. Branch on \`code\`: codes stay as they are, \`error\` is for people
and may change. 400 on the three faces, and 500 and 503 everywhere, are problem details (RFC 9110)
with \`code\` beside \`errors\` (messages by field) and \`traceId\` (names the request in the logs).
Each endpoint's codes are in its OpenAPI document.

The merchant face has the formats of its contract: [merchant API](merchant-api.md#errors).

| Code | Status | Meaning |
|---|---|---|
${rows.join('\n')}
`;

test('docs/errors.md lists every code (vitest -u writes it)', async () => {
  await expect(PAGE).toMatchFileSnapshot('../../../docs/errors.md');
});
