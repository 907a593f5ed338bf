import { expect, test } from 'vitest';
import { CODES } from './codes.ts';

const rows = Object.entries(CODES).map(
  ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
);
const PAGE = `# Errors

The merchant API has [its own formats](merchant-api.md#errors). The operator, member and portal APIs
and the payment page refuse with \`{"error": "…", "code": "…"}\`. Branch on \`code\`: codes never
change; \`error\` is for people and may change. 400 on these three APIs, and 500 and 503 everywhere,
are problem details (RFC 9457) with \`code\`, \`errors\` (messages by field) and \`traceId\` (finds
the request in the logs). The OpenAPI documents list each endpoint's codes.

| Code | Status | Meaning |
|---|---|---|
${rows.join('\n')}
`;

test('docs/errors.md lists every code (vitest -u writes it)', async () => {
  await expect(PAGE).toMatchFileSnapshot('../../../docs/errors.md');
});
