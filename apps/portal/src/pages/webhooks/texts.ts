export const texts = {
  title: 'Webhooks',
  tabs: { deliveries: 'Deliveries', health: 'Health', verify: 'Verify them' },
  receivers: 'Receivers of your webhooks',
  none: 'Nothing has been sent yet. A webhook is sent when an order ends.',
  verifyLead:
    'Verify X-SVC-Signature before you act on a webhook: it is “sha256=” and the HMAC-SHA256 of the raw body with your signing secret, in hex. Compare in constant time, and parse the body only afterwards.',
  language: 'Language of the example',
  languages: { ts: 'TypeScript', python: 'Python', php: 'PHP', sh: 'Shell' },
  code: (language: string) => `How to verify in ${language}`,
  hints: {
    ts: "In Express, get the raw body with express.raw({ type: 'application/json' }) on this route.",
    python: 'The raw body is request.get_data() in Flask and request.body in Django.',
    php: "The raw body is file_get_contents('php://input'), the header $_SERVER['HTTP_X_SVC_SIGNATURE'].",
    sh: 'For debugging only: other users of the machine can see the secret.',
  },
  tryTitle: 'Try it with a real delivery',
  tryLead: (when: string) =>
    `The newest delivery, sent ${when}. Nothing that you type leaves this browser.`,
  noneSent: 'Once a webhook has been sent, you can test your code here with its header and body.',
  header: 'X-SVC-Signature',
  theHeader: 'the header',
  body: 'Body as it was sent',
  secret: 'Signing secret',
  secretHint: 'The secret of the key in X-SVC-Key-Prefix. It stays in this browser.',
} as const;
