import { describe, expect, test } from 'vitest';
import { brandShades, contrast } from './brand-colour.ts';

const LIGHT = ['#ffffff', '#eef1f5'];
const DARK = ['#1b222c', '#11161d'];

describe('the contrast of two colours', () => {
  // Published values, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio and its techniques.
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
  ])('%s on %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBeCloseTo(ratio, 2);
  });
});

describe('the shades of a colour', () => {
  test.each([
    ['a deep blue is used as it is', '#1650b8', LIGHT, '#1650b8', '#ffffff'],
    ['an orange takes black text', '#ff7a00', LIGHT, '#ff7a00', '#000000'],
    ['a yellow gets a little darker on white', '#ffe600', LIGHT, '#dbc600', '#000000'],
    ['white is a grey on white', '#ffffff', LIGHT, '#c3c3c3', '#000000'],
    ['black is black on white', '#000000', LIGHT, '#000000', '#ffffff'],
    ['a navy gets a little lighter on black', '#0a1a3c', DARK, '#34415e', '#ffffff'],
    ['black is a grey on black', '#000000', DARK, '#404040', '#ffffff'],
    ['white is white on black', '#ffffff', DARK, '#ffffff', '#000000'],
  ])('%s', (_name, colour, surfaces, fill, onFill) => {
    expect(brandShades(colour, surfaces)).toMatchObject({ fill, onFill });
  });

  test('can be read and distinguished in every colour', () => {
    const levels = [0, 0x11, 0x33, 0x55, 0x77, 0x99, 0xbb, 0xdd, 0xff];
    const hex = (level: number) => level.toString(16).padStart(2, '0');
    const colours = levels.flatMap((red) =>
      levels.flatMap((green) => levels.map((blue) => `#${hex(red)}${hex(green)}${hex(blue)}`)),
    );
    for (const colour of colours) {
      for (const surfaces of [LIGHT, DARK]) {
        const { fill, onFill, edge, ink } = brandShades(colour, surfaces);
        expect(contrast(onFill, fill), `${colour}: text on ${fill}`).toBeGreaterThanOrEqual(4.5);
        for (const surface of surfaces) {
          expect(contrast(edge, surface), `${colour}: edge`).toBeGreaterThanOrEqual(3);
          expect(contrast(ink, surface), `${colour}: ink`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });
});
