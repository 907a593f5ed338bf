export const CREATE_ORDER = {};
export const STATUS_BY_ID = {};
export const STATUS_BY_REFERENCE = {};
export const BALANCE = {};
