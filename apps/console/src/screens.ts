import type { Screen } from '@munshi/web-ui';
import CheckCheck from 'lucide-react/icons/check-check';
import Gauge from 'lucide-react/icons/gauge';
import Hand from 'lucide-react/icons/hand';
import ListChecks from 'lucide-react/icons/list-checks';
import Percent from 'lucide-react/icons/percent';
import Receipt from 'lucide-react/icons/receipt';
import Scale from 'lucide-react/icons/scale';
import ScrollText from 'lucide-react/icons/scroll-text';
import Settings from 'lucide-react/icons/settings';
import Store from 'lucide-react/icons/store';
import UserCog from 'lucide-react/icons/user-cog';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import { lazy } from 'react';
import NowPage from './pages/now/page.tsx';
import { type Capability, may, type Operator } from './session.tsx';

/**
 * A screen of the console. Letters: n now, q queues, o orders, l late claims, a approvals, w
 * webhooks, m merchants, e members, f fees and rates, r reports, u audit, p operators, s settings.
 */
interface ConsoleScreen extends Screen {
  /** What opening it needs. */
  readonly needs: Capability;
}

export const SCREENS: readonly ConsoleScreen[] = [
  {
    path: '/',
    needs: 'read',
    page: NowPage,
    menu: { label: 'Now', letter: 'n', icon: Gauge },
  },
  {
    path: '/queues',
    needs: 'read',
    page: lazy(() => import('./pages/queues/page.tsx')),
    menu: { label: 'Queues', letter: 'q', icon: ListChecks, isListed: false },
  },
  {
    path: '/orders',
    needs: 'read',
    page: lazy(() => import('./pages/orders/page.tsx')),
    menu: { label: 'Orders', letter: 'o', icon: Receipt },
  },
  {
    path: '/orders/:orderId',
    needs: 'read',
    page: lazy(() => import('./pages/order/page.tsx')),
  },
  {
    path: '/late-claims',
    needs: 'read',
    page: lazy(() => import('./pages/late-claims/page.tsx')),
    menu: { label: 'Late claims', letter: 'l', icon: Hand, isListed: false },
  },
  {
    path: '/merchants',
    needs: 'read',
    page: lazy(() => import('./pages/merchants/page.tsx')),
    menu: { label: 'Merchants', letter: 'm', icon: Store },
  },
  {
    path: '/merchants/:merchantId/:tab?',
    needs: 'read',
    page: lazy(() => import('./pages/merchant/page.tsx')),
  },
  {
    path: '/merchants/:merchantId/statements/:month',
    needs: 'read',
    page: lazy(() => import('./pages/statement/page.tsx')),
  },
  {
    path: '/members',
    needs: 'read',
    page: lazy(() => import('./pages/members/page.tsx')),
    menu: { label: 'Members', letter: 'e', icon: Users },
  },
  {
    path: '/members/:memberId/:tab?',
    needs: 'read',
    page: lazy(() => import('./pages/member/page.tsx')),
  },
  {
    path: '/fees',
    needs: 'read',
    page: lazy(() => import('./pages/fees/page.tsx')),
    menu: { label: 'Fees and rates', letter: 'f', icon: Percent },
  },
  {
    path: '/reports',
    hasTabs: true,
    needs: 'read',
    page: lazy(() => import('./pages/reports/page.tsx')),
    menu: { label: 'Reports', letter: 'r', icon: Scale },
  },
  {
    path: '/closings/:closingId',
    within: '/reports',
    needs: 'read',
    page: lazy(() => import('./pages/closing/page.tsx')),
  },
  {
    path: '/webhooks',
    needs: 'read',
    page: lazy(() => import('./pages/webhooks/page.tsx')),
    menu: { label: 'Webhooks', letter: 'w', icon: Webhook },
  },
  {
    path: '/deliveries/:deliveryId',
    within: '/webhooks',
    needs: 'read',
    page: lazy(() => import('./pages/delivery/page.tsx')),
  },
  {
    path: '/approvals',
    needs: 'read',
    page: lazy(() => import('./pages/approvals/page.tsx')),
    menu: { label: 'Approvals', letter: 'a', icon: CheckCheck },
  },
  {
    path: '/audit',
    needs: 'read',
    page: lazy(() => import('./pages/audit/page.tsx')),
    menu: { label: 'Audit', letter: 'u', icon: ScrollText },
  },
  {
    path: '/operators',
    needs: 'administer',
    page: lazy(() => import('./pages/operators/page.tsx')),
    menu: { label: 'Operators', letter: 'p', icon: UserCog },
  },
  {
    path: '/settings',
    needs: 'read',
    page: lazy(() => import('./pages/settings/page.tsx')),
    menu: { label: 'Settings', letter: 's', icon: Settings },
  },
  {
    path: '/security',
    needs: 'read',
    page: lazy(() => import('./pages/security/page.tsx')),
  },
];

/**
 * Those that an operator may open. Who may approve has the requests as a queue of the menu, and
 * not by the screen's name too.
 */
export const screensOf = (operator: Operator): readonly ConsoleScreen[] =>
  SCREENS.filter(({ needs }) => may(operator, needs)).map((screen) =>
    screen.path === '/approvals' && screen.menu !== undefined && may(operator, 'approve')
      ? { ...screen, menu: { ...screen.menu, isListed: false } }
      : screen,
  );
