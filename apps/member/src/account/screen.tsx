import { texts } from '../language.ts';
import { Screen } from '../parts/frame.tsx';
import { ForwardIcon } from '../parts/icons.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { Link } from '../router.tsx';
import { me } from '../work/known.ts';
import { Accounts } from './accounts.tsx';
import { Equation } from './equation.tsx';
import { words } from './words.ts';
import './account.css';

/** M11: float and accounts; and the way to M12. */
export function AccountScreen() {
  const { account } = texts.value;
  const mine = me.value;
  return (
    <Screen title={account.title}>
      {mine === null ? (
        <Skeletons cards={2} />
      ) : (
        <>
          <section>
            <h2>{words.value.float}</h2>
            <Equation me={mine} />
            <LeadsOn to="/account/float">{words.value.movements}</LeadsOn>
          </section>
          <Accounts me={mine} />
        </>
      )}
      <LeadsOn to="/account/settings">{account.settings}</LeadsOn>
    </Screen>
  );
}

const LeadsOn = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <p class="card row">
    <Link to={to} class="whole">
      {children}
    </Link>
    <ForwardIcon class="directed" />
  </p>
);
