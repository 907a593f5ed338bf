import { READ_SET_UP } from '@munshi/api';
import { useRead } from '@munshi/web-ui';
import { lazy, Suspense, useState } from 'react';
import { may, useSession } from '../../session.tsx';

const SetUpCard = lazy(() => import('./set-up-card.tsx'));

const WATCH = ['order', 'member', 'setting'];
const keyOf = (operatorId: string) => `munshi.set-up.${operatorId}`;

/** How to set up a new installation, for admins, until it is done or put away in this browser. */
export function SetUp() {
  const { operator } = useSession();
  const key = keyOf(operator.operatorId);
  const [isAway, setAway] = useState(() => localStorage.getItem(key) !== null);
  const wanted = may(operator, 'administer') && !isAway;
  const { data } = useRead(READ_SET_UP, {}, { watch: WATCH, enabled: wanted });
  const setUp = data?.data;
  if (!wanted || setUp === undefined) return null;
  if (!setUp.isNew || setUp.steps.every(({ done }) => done)) return null;
  const putAway = () => {
    localStorage.setItem(key, 'away');
    setAway(true);
  };
  return (
    <Suspense>
      <SetUpCard setUp={setUp} onPutAway={putAway} />
    </Suspense>
  );
}
