/** Tables that timed jobs write whenever they run, also during a test. */
export const WRITTEN_BY_JOBS = [
  'audit_chain',
  'audit_unchained',
  'audit_checks',
  'books_checks',
  // forgotten once every process has read them; what they report is in other tables
  'member_changes',
  // gathered in memory from requests, some seconds after them
  'api_key_uses',
  'refused_requests',
  'refused_minutes',
];
