import { isZero } from '@munshi/web';
import { Money } from '../parts/values.tsx';
import type { Me } from '../work/orders.ts';
import { words } from './words.ts';

/** Balance − held = free. */
export function Equation({ me: { float, currency } }: { readonly me: Me }) {
  const { balance, held, free } = words.value;
  return (
    <dl class="card sums">
      <dt>{balance}</dt>
      <dd>
        <Money amount={float.balance} currency={currency} />
      </dd>
      <dt>{held}</dt>
      <dd>
        <Money amount={isZero(float.held) ? float.held : `-${float.held}`} currency={currency} />
      </dd>
      <dt class="total">{free}</dt>
      <dd class="total">
        <Money amount={float.free} currency={currency} />
      </dd>
    </dl>
  );
}
