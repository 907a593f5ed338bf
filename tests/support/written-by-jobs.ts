/** Tables that timed jobs write whenever they run, beside whatever a test does. */
export const WRITTEN_BY_JOBS = [
  'audit_chain',
  'audit_unchained',
  'audit_checks',
  'books_checks',
  // forgotten once every process has read them; what they tell of stands in other tables
  'member_changes',
  // gathered in memory from requests, some seconds after them
  'api_key_uses',
  'refused_requests',
  'refused_minutes',
];
