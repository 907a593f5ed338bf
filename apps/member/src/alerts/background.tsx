import { useEffect, useState } from 'preact/hooks';
import { deviceName } from '../settings/device-name.ts';
import { BRANDS, type Brand, backgroundSteps, brandOf } from './brands.ts';
import { StepPicture } from './picture.tsx';
import { Names } from './simple-steps.tsx';
import { tick } from './standing.ts';
import type { StepView } from './step-view.ts';
import { words } from './words.ts';

/** Chromium says the phone's model when it is asked; not in the library of types. */
interface ClientHints {
  readonly userAgentData?: {
    getHighEntropyValues(hints: readonly string[]): Promise<{ readonly model?: string }>;
  };
}

async function brandOfPhone(): Promise<Brand> {
  const { userAgentData } = navigator as ClientHints;
  const hints = await userAgentData?.getHighEntropyValues(['model']).catch(() => undefined);
  const brand = brandOf(hints?.model ?? '');
  return brand === 'other' ? brandOf(navigator.userAgent) : brand;
}

/** Which menus keep the app awake on this phone: by its maker, which can be changed. */
export function useBackground(next: () => void): StepView {
  const [brand, setBrand] = useState<Brand>(() => brandOf(navigator.userAgent));
  useEffect(() => {
    void brandOfPhone().then(setBrand);
  }, []);
  const { background } = words.value;
  const browser = deviceName(navigator.userAgent).browser ?? 'Chrome';
  return {
    body: (
      <>
        <p>{background.lead}</p>
        <fieldset class="choices brands" aria-label={background.phone}>
          {BRANDS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === brand}
              onClick={() => setBrand(each)}
            >
              {each === 'other' ? background.other : <bdi>{each}</bdi>}
            </button>
          ))}
        </fieldset>
        <ol class="ways">
          {backgroundSteps(brand, browser).map(({ act, names }) => (
            <li key={`${act} ${names}`} class="way">
              <StepPicture act={act} />
              <p>
                {background.acts[act]} <Names names={names} />
              </p>
            </li>
          ))}
        </ol>
        <p class="hint">{background.names}</p>
      </>
    ),
    action: (
      <button
        type="button"
        class="primary"
        onClick={() => {
          tick('background');
          next();
        }}
      >
        {background.button}
      </button>
    ),
  };
}
