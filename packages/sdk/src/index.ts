export {
  type Client,
  type ClientOptions,
  createClient,
  MunshiError,
  signedBody,
} from './client.ts';
export { signOrderBody } from './sign.ts';
export type * from './types.ts';
export {
  isWebhookSignature,
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
  WebhookSignatureError,
} from './webhooks.ts';
