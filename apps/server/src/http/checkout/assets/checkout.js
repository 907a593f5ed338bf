// The payment page without a framework: asks for an account while it waits, looks again every ten seconds, counts down,
// copies. Everything here has a form or a link that does the same without it.
const main = document.querySelector('main');
const { page, query, state, ask, every, remaining, expiredUrl } = main.dataset;

if (ask) {
  const expiresAt = remaining ? performance.now() + Number(remaining) : undefined;
  const connection = document.querySelector('[data-connection]');
  let asking = false;

  const show = (address) => window.location.replace(address);
  // A page that was reloaded shows what the order has become; the address stays the page's own, never a form's.
  const reload = () => show(`${page}?${query}`);

  const look = async (what) => {
    if (asking) return;
    asking = true;
    try {
      const response = await fetch(`${page}/${what}?${query}`, {
        method: what === 'open' ? 'POST' : 'GET',
        headers: { Accept: 'application/json' },
        cache: 'no-store',
        signal: AbortSignal.timeout(Number(every)),
      });
      if (response.status === 410) return expiredUrl ? show(expiredUrl) : reload();
      if (response.status === 403) return reload();
      if (!response.ok) throw new Error(`the service answered ${response.status}`);
      connection.textContent = '';
      const { data } = await response.json();
      if (`${data.status} ${data.view} ${data.method.walletType}` !== state) reload();
    } catch {
      connection.textContent = 'Connection lost. Trying again …';
    } finally {
      asking = false;
    }
  };

  if (ask === 'open') look('open');
  setInterval(() => look(ask), Number(every));
  if (expiresAt !== undefined) {
    const countdown = document.querySelector('[data-countdown]');
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((expiresAt - performance.now()) / 1000));
      countdown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      if (seconds === 0) look('state');
      else setTimeout(tick, 1000);
    };
    tick();
  }
}

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  });
}

// A form is sent once. The button stays usable until the browser has read which one was pressed.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form')) delete form.dataset.sent;
});
