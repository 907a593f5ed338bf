export * from './errors.ts';
export * from './merchant.ts';
export * from './operator.ts';
