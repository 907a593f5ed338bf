export * from './errors.ts';
export * from './member.ts';
export * from './merchant.ts';
export * from './operator.ts';
export { keyRuleOf, type Page } from './schemas.ts';
export * from './webhooks.ts';
