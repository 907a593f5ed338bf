/** Tables that timed jobs write whenever they run, beside whatever a test does. */
export const WRITTEN_BY_JOBS = ['audit_chain', 'audit_unchained', 'audit_checks', 'books_checks'];
