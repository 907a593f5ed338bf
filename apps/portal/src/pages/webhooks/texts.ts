export const texts = {
  title: 'Webhooks',
  tabs: { deliveries: 'Deliveries', health: 'Health', verify: 'Verify them' },
  receivers: 'Receivers of your webhooks',
  none: 'Nothing has been sent yet. Your callback URL is told when an order ends.',
  verifyLead:
    'Verify X-SVC-Signature before you believe a webhook: it is “sha256=” and the HMAC-SHA256 of the raw body with your signing secret, in hex. Compare in constant time, and read the body only afterwards.',
  language: 'Language of the example',
  languages: { ts: 'Node', python: 'Python', php: 'PHP', sh: 'Shell' },
  code: (language: string) => `How to verify in ${language}`,
  hints: {
    ts: "With Express take the bytes by express.raw({ type: 'application/json' }) on this route.",
    python: 'The bytes are request.get_data() in Flask and request.body in Django.',
    php: "The bytes are file_get_contents('php://input'), the header $_SERVER['HTTP_X_SVC_SIGNATURE'].",
    sh: 'For debugging only: others on the machine can see the secret.',
  },
  tryTitle: 'Try it with a real delivery',
  tryLead: (when: string) =>
    `The newest that was sent, ${when}. Nothing that you type leaves this browser.`,
  noneSent: 'As soon as a webhook was sent, its header and body stand here to try your code with.',
  header: 'X-SVC-Signature',
  theHeader: 'the header',
  body: 'Body as it was sent',
  secret: 'Signing secret',
  secretHint: 'Of the key in X-SVC-Key-Prefix. It stays in this browser.',
} as const;
