import { pino } from 'pino';
import { expect, test } from 'vitest';
import { UnavailableError } from '../database/errors.ts';
import { createHttpServer } from './server.ts';

const answerTo = async (fail: () => unknown) => {
  const app = createHttpServer(pino({ level: 'silent' }));
  app.get('/', async () => fail());
  const { statusCode, headers } = await app.inject('/');
  await app.close();
  return { statusCode, retryAfter: headers['retry-after'] };
};

test('a bug is a 500, regardless of the words in its message', async () => {
  const holder: { connection?: { timeout: number } } = {};
  expect(await answerTo(() => (holder.connection as { timeout: number }).timeout)).toEqual({
    statusCode: 500,
    retryAfter: undefined,
  });
  for (const message of ['the connection is not defined', 'terminated', 'a timeout of NaN'])
    expect(await answerTo(() => Promise.reject(new Error(message)))).toMatchObject({
      statusCode: 500,
    });
});

test('a database that is away is a 503 that says when to try again', async () => {
  const away = () => Promise.reject(new UnavailableError('no answer'));
  expect(await answerTo(away)).toEqual({ statusCode: 503, retryAfter: '2' });
});
