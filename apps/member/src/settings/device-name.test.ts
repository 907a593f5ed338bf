import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

const ANDROID = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (Linux; Android 13; Redmi 12) ${ANDROID} Chrome/140.0.0.0 Mobile Safari/537.36`,
    { browser: 'Chrome', system: 'Redmi 12' },
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${ANDROID} Chrome/140.0.0.0 Mobile Safari/537.36`,
    { browser: 'Chrome', system: 'Android' },
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-A155F Build/UP1A) ${ANDROID} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    { browser: 'Samsung Internet', system: 'SM-A155F' },
  ],
  [
    `Mozilla/5.0 (Linux; U; Android 12; CPH2269) ${ANDROID} Version/4.0 Chrome/115.0 Mobile Safari/537.36 HeyTapBrowser/45.9`,
    { browser: 'HeyTap Browser', system: 'CPH2269' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    { browser: 'Safari', system: 'iPhone' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
    { browser: 'Firefox', system: 'Windows' },
  ],
  ['curl/8.5.0', { browser: undefined, system: undefined }],
])('a browser is called as people call it: %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toEqual(name);
});
