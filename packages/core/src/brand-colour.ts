/** Contrast ratios by WCAG 2.2: of text (1.4.3), and of what marks a control (1.4.11). */
const TEXT_MIN = 4.5;
const EDGE_MIN = 3;
/** A main button stands out from what it lies on by its colour, and by its edge if that is pale. */
const FILL_MIN = 1.5;

/** A merchant's colour as it can be used on a surface. All are `#rrggbb`. */
export interface BrandShades {
  /** For areas: the colour itself, where it stands out from the surfaces at all. */
  readonly fill: string;
  /** For text on `fill`, at 4.5:1 or more: white where that is enough, else black. */
  readonly onFill: '#ffffff' | '#000000';
  /** For the edge of an area, at 3:1 or more on the surfaces. */
  readonly edge: string;
  /** For text on the surfaces, at 4.5:1 or more. */
  readonly ink: string;
}

/**
 * The shades of a colour, all `#rrggbb`, for what lies on these surfaces: of a light theme, or of a
 * dark one. Each is the colour itself, or as little darker (on light surfaces) or lighter (on dark
 * ones) as its contrast asks for.
 */
export function brandShades(colour: string, surfaces: readonly string[]): BrandShades {
  const onLight = surfaces.every((surface) => contrast(surface, '#000000') >= TEXT_MIN);
  const towards = onLight ? 0 : 255;
  const shade = (ratio: number): string => {
    for (let step = 0; ; step += 1) {
      const mixed = mix(colour, towards, step / STEPS);
      if (step === STEPS || surfaces.every((surface) => contrast(mixed, surface) >= ratio))
        return mixed;
    }
  };
  const fill = shade(FILL_MIN);
  const onFill = contrast(fill, '#ffffff') >= TEXT_MIN ? '#ffffff' : '#000000';
  return { fill, onFill, edge: shade(EDGE_MIN), ink: shade(TEXT_MIN) };
}

const STEPS = 64;

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));

const mix = (colour: string, towards: number, share: number): string =>
  `#${channels(colour)
    .map((channel) => Math.round(channel + (towards - channel) * share))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** WCAG 2.2, relative luminance: 0 to 1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
