import { expect, test } from 'vitest';
import { BRANDS, backgroundSteps, brandOf } from './brands.ts';

test.each([
  ['Redmi 12', 'Xiaomi'],
  ['23053RN02A', 'Xiaomi'],
  ['M2101K6G', 'Xiaomi'],
  ['CPH2269', 'Oppo'],
  ['RMX3834', 'Oppo'],
  ['V2247', 'Vivo'],
  ['vivo 1904', 'Vivo'],
  ['SM-A155F', 'Samsung'],
  ['JNY-LX1', 'Huawei'],
  ['Pixel 8', 'other'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0', 'other'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15', 'other'],
])('the maker of %s is %s', (text, brand) => {
  expect(brandOf(text)).toBe(brand);
});

test.each(BRANDS)('the way for %s names the browser', (brand) => {
  expect(backgroundSteps(brand, 'Edge').flatMap(({ names }) => names)).toContain('Edge');
});
