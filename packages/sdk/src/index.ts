export { type Client, type ClientOptions, createClient, signedBody } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type Fields,
  MunshiError,
  NotFoundError,
  RefusedError,
  ServiceError,
  SignatureError,
  ValidationError,
  WebhookSignatureError,
} from './errors.ts';
export type {
  Delivery,
  EventPage,
  EventPageOptions,
  EventsOptions,
  ReceivedEvent,
} from './events.ts';
export { signOrderBody } from './sign.ts';
export type * from './types.ts';
export { type WebhookHeaders, webhooks } from './webhooks.ts';
