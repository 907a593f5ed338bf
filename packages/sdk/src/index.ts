export {
  type Client,
  type ClientOptions,
  createClient,
  MunshiError,
  signedBody,
} from './client.ts';
export { signOrderBody } from './sign.ts';
export type * from './types.ts';
export { type WebhookHeaders, WebhookSignatureError, webhooks } from './webhooks.ts';
