import { Counter, type Registry } from 'prom-client';
import type { MailOutcome } from '../platform/mail.ts';

const OUTCOMES: readonly MailOutcome[] = ['sent', 'failed'];

/** The mails of this process in `/metrics`. */
export function createMailMetrics() {
  const mails = new Counter({
    name: 'munshi_mails_total',
    help: 'Mails to people by what became of them',
    labelNames: ['outcome'],
    registers: [],
  });
  for (const outcome of OUTCOMES) mails.inc({ outcome }, 0);
  return {
    onMail: (outcome: MailOutcome) => mails.inc({ outcome }),
    register: (registry: Registry) => registry.registerMetric(mails),
  };
}
