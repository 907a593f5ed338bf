// The payment page without a framework: asks for an account while it waits, looks again every ten
// seconds, counts down, copies, goes back to the merchant. Everything here has a form or a link
// that does the same without it. Written for the browsers of old phones.
(() => {
  const main = document.querySelector('main');
  const { page, query, state, ask, every, waits, expiredUrl } = main.dataset;
  for (const later of document.querySelectorAll('[data-scripted]'))
    later.outerHTML = later.textContent;
  const announcement = document.querySelector('[data-announce]');
  const { left, up, held } = announcement.dataset;
  let { lost } = announcement.dataset;

  /**
   * Said once: a screen reader reads each change aloud. What has been said makes room again, but
   * for a lost connection.
   */
  let said;
  const announce = (text) => {
    if (announcement.textContent === text) return;
    announcement.textContent = text;
    clearTimeout(said);
    if (text !== '' && text !== lost) said = setTimeout(() => announce(''), 6000);
  };

  // What was typed outlives the time, a page that is loaded again, another language and a form that
  // never arrived. It is kept by the order's id, which a form's address has too, and for one load:
  // the answer to a form, at its address or of an order that it has changed, holds what the service
  // has of it. A browser that keeps nothing goes on without it.
  const typed = () => {
    const values = {};
    for (const { name, value } of main.querySelectorAll('input:not([type=file])'))
      values[name] = value;
    return values;
  };
  const fill = (values) => {
    for (const input of main.querySelectorAll('input:not([type=hidden])')) {
      if (input.value || !values[input.name]) continue;
      input.value = values[input.name];
      const folded = input.closest('details');
      if (folded) folded.open = true;
    }
  };
  const key = page.slice(-36);
  let reloads;
  const keep = () => {
    try {
      sessionStorage[key] = JSON.stringify([typed(), reloads || state]);
    } catch (_) {}
  };
  try {
    const [values, of] = JSON.parse(sessionStorage[key]);
    delete sessionStorage[key];
    if (location.pathname.slice(-36) === key && (of === true || of === state)) fill(values);
  } catch (_) {}
  addEventListener('pagehide', keep);

  const show = (address) => location.replace(address);
  // A page that was loaded again shows what the order has become; the address stays the page's own,
  // never a form's.
  const reload = () => {
    reloads = true;
    show(`${page}?${query}`);
  };

  // At the end of its time a page that showed an account asks before it leaves.
  const ended = document.querySelector('[data-time-is-up]');
  const end = () => {
    if (!ended) return expiredUrl ? show(expiredUrl) : reload();
    stopped = true;
    const values = typed();
    const content = main.querySelector('[data-content]');
    content.innerHTML = ended.textContent;
    fill(values);
    main.querySelector('h1').focus();
    asksWhenOpen(main);
    returnLater(main);
  };

  let stopped = false;
  let asking;
  let patience;
  /** Of browsers before 2018, which cannot cut a request off, the answer is not read. */
  const giveUp = () => {
    clearTimeout(patience);
    if (asking) asking.abort();
    asking = null;
  };
  // While the order is with others the service answers when it changes, or after `waits` seconds.
  const look = (what) => {
    if (asking || stopped) return;
    const mine = window.AbortController ? new AbortController() : { abort() {} };
    asking = mine;
    const waiting = waits ? `&wait=${waits}&since=${state}` : '';
    const began = Date.now();
    const lose = () => {
      if (asking !== mine) return;
      giveUp();
      if (lost) announce(lost);
    };
    patience = setTimeout(lose, Number(every) + (waiting ? waits * 1000 : 0));
    let next = false;
    fetch(`${page}/${what}?${query}${waiting}`, {
      method: what === 'open' ? 'POST' : 'GET',
      headers: { Accept: 'application/json' },
      cache: 'no-store',
      signal: mine.signal,
    })
      .then((response) => {
        if (asking !== mine) return;
        if (response.status === 410) return end();
        if (response.status === 403) return reload();
        if (!response.ok) return Promise.reject();
        return response.json().then(({ data }) => {
          if (announcement.textContent === lost) announce('');
          count(data.remainingMs);
          // An answer that came at once was not waited for: the next one is due in ten seconds.
          next = waits && Date.now() - began > 5000;
          if (data.version !== state) reload();
        });
      })
      .then(() => {
        if (asking !== mine) return;
        giveUp();
        if (next) look(what);
      })
      .catch(lose);
  };

  const lastMinutes = document.querySelector('[data-last]');
  const countdown = document.querySelector('[data-countdown]');
  const milestones = JSON.parse(left || '[]');
  let ends;
  let secondsBefore;
  /**
   * Sets what is left by the server's clock. Of a phone's own, one stands still while it sleeps, and
   * the other may be wrong and put right meanwhile: the next answer mends a time that is too short.
   */
  const count = (remaining) => {
    if (typeof remaining === 'number')
      ends = [performance.now() + remaining, Date.now() + remaining];
  };
  const tick = () => {
    const left = Math.min(ends[0] - performance.now(), ends[1] - Date.now());
    const seconds = Math.max(0, Math.ceil(left / 1000));
    countdown.textContent = `${Math.floor(seconds / 60)}:${String(100 + (seconds % 60)).slice(1)}`;
    // A phone that has slept wakes with less left than the milestone says.
    for (const [at, said] of milestones)
      if (secondsBefore > at && seconds <= at && seconds > at - 30) announce(said);
    if (lastMinutes && seconds <= lastMinutes.dataset.last) lastMinutes.hidden = false;
    if (seconds === 0 && secondsBefore !== 0) {
      announce(up);
      look('state');
    }
    secondsBefore = seconds;
  };
  if (countdown && main.dataset.remaining) {
    count(Number(main.dataset.remaining));
    // A browser that fails at it keeps the time on the wall.
    tick();
    countdown.hidden = false;
    countdown.previousElementSibling.hidden = false;
    countdown.nextElementSibling.hidden = true;
    setInterval(tick, 1000);
  }

  if (ask) {
    /** A page that is to open its order only reads it until a person has it in front of them. */
    let what = ask === 'open' ? 'state' : ask;
    /** What was asked before a phone slept may never be answered, or by a time that is gone. */
    const lookNow = () => {
      giveUp();
      look(what);
    };
    // Previews and scanners render links as well (decision 8). A person touches the page, or has it
    // in front of them for two seconds, in which they read whom they pay and how much.
    if (what !== ask) {
      let staying;
      const open = () => {
        if (document.hidden || what === ask) return;
        what = ask;
        lookNow();
      };
      const stay = () => {
        clearTimeout(staying);
        staying = setTimeout(open, 2000);
      };
      stay();
      document.addEventListener('visibilitychange', stay);
      for (const touch of ['pointerdown', 'touchstart', 'keydown'])
        document.addEventListener(touch, open, { passive: true });
    }
    const [arrival] = performance.getEntriesByType('navigation');
    // Back on a page that was left, the order may have moved on.
    if (waits || (arrival && arrival.type === 'back_forward')) look(what);
    addEventListener('pageshow', (event) => event.persisted && lookNow());
    setInterval(() => look(what), every);
    // Timers of a phone in a pocket stand still: look at once when it is taken out or back in
    // reach.
    document.addEventListener('visibilitychange', () => document.hidden || lookNow());
    addEventListener('online', lookNow);
    addEventListener('offline', () => lost && announce(lost));
  }

  /**
   * Goes back after some seconds in which the page is seen. Each touch begins them again where the
   * page has asked first, and ends them elsewhere: somebody reads. A screen reader touches nothing
   * but moves the focus. Nobody who is answering is sent away.
   */
  function returnLater(part) {
    const returning = part.querySelector('[data-returning]');
    if (!returning) return;
    const { staying } = returning.dataset;
    let seconds = returning.dataset.returning;
    let timer;
    const wait = () => {
      clearTimeout(timer);
      if (part.querySelector('.answer[open]')) returning.hidden = true;
      if (seconds && !document.hidden && !returning.hidden)
        timer = setTimeout(() => show(part.querySelector('[data-return]').href), seconds * 1000);
    };
    const touched = () => {
      if (seconds && staying) {
        seconds = 0;
        returning.textContent = staying;
      }
      wait();
    };
    wait();
    document.addEventListener('visibilitychange', wait);
    for (const touch of 'pointerdown touchstart keydown focusin scroll toggle'.split(' '))
      document.addEventListener(touch, touched, { capture: true, passive: true });
  }
  returnLater(main);

  // More than the last digits that arrives at once, a message or a whole ID, is read by the service,
  // which shows what it read. Keyboards offer what was copied, and phones fill fields in, without a
  // paste.
  for (const input of document.querySelectorAll('[data-last-digits]')) {
    let before = input.value.length;
    input.addEventListener('input', ({ inputType }) => {
      const added = input.value.length - before;
      before = input.value.length;
      if (added < 2 && !/Paste|Replace/.test(inputType)) return;
      if (input.value.trim().length > input.dataset.lastDigits)
        input.form.querySelector('button').click();
    });
  }

  /** By the clipboard; in old browsers, and in apps that forbid it, by a selection. */
  const copy = (text) =>
    (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject()).catch(() => {
      const area = document.createElement('textarea');
      area.value = text;
      area.readOnly = true;
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done || Promise.reject();
    });
  const buttons = document.querySelectorAll('[data-copy]');
  for (const button of buttons) {
    const word = button.textContent;
    const { copied } = button.dataset;
    button.addEventListener('click', () =>
      copy(button.dataset.copy).then(
        () => {
          // The clipboard has only the last.
          for (const other of buttons) {
            other.textContent = other === button ? copied : word;
            other.classList.toggle('done', other === button);
          }
          announce(`${copied}: ${button.dataset.copy}`);
        },
        () => getSelection().selectAllChildren(button.previousElementSibling),
      ),
    );
  }

  // A receipt goes on as text, never as the link, which shows more.
  for (const button of document.querySelectorAll('[data-share]')) {
    button.hidden = !navigator.share;
    button.addEventListener('click', () =>
      navigator.share({ text: button.dataset.share }).catch(() => {}),
    );
  }
  for (const button of document.querySelectorAll('[data-print]'))
    button.addEventListener('click', () => window.print());

  for (const link of document.querySelectorAll('[data-copy-link]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      copy(link.href).then(() => {
        link.textContent = link.dataset.copied;
        announce(link.dataset.copied);
      }, reload);
    });
  }

  // A fold that asks for digits is opened by a tap, or two: the second one falls beside its button.
  const asksWhenOpen = (part) => {
    for (const folded of part.querySelectorAll('.sent, .answer'))
      for (const event of ['toggle', 'click'])
        folded.addEventListener(event, ({ target }) => {
          const input = folded.querySelector('[inputmode]');
          if (folded.open && input && !/^(A|BUTTON|SUMMARY)$/.test(target.tagName)) input.focus();
        });
  };
  asksWhenOpen(main);

  for (const zone of document.querySelectorAll('[data-zone]'))
    zone.hidden = Number(zone.dataset.zone) === -new Date().getTimezoneOffset();

  const wrong = document.querySelector('[aria-invalid]');
  if (wrong) wrong.focus();

  // A form is sent once. The button stays usable until the browser has read which one was pressed,
  // and is again for a customer who has stopped the browser: the service counts a form once.
  let sent;
  const again = () => {
    sent = null;
  };
  addEventListener('pageshow', again);
  // Without a connection the last one waits for it.
  let waiting;
  addEventListener('online', () => {
    if (waiting) waiting.click();
  });
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (sent === form) return event.preventDefault();
    if (navigator.onLine === false) {
      event.preventDefault();
      const pressed = document.activeElement;
      waiting =
        pressed.form === form && pressed.type === 'submit'
          ? pressed
          : form.querySelector('[type=submit]');
      lost = held;
      return announce(lost);
    }
    sent = form;
    setTimeout(again, 8000);
  });
})();
