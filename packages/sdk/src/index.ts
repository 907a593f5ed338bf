export * from './client.ts';
export * from './sign.ts';
