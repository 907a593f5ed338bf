import type { Screen } from '@munshi/web-ui';
import Code from 'lucide-react/icons/code';
import House from 'lucide-react/icons/house';
import Receipt from 'lucide-react/icons/receipt';
import Settings from 'lucide-react/icons/settings';
import Wallet from 'lucide-react/icons/wallet';
import Webhook from 'lucide-react/icons/webhook';
import { lazy } from 'react';
import HomePage from './pages/home/page.tsx';

/**
 * Every screen, for viewers and admins alike. Letters: h home, o orders, m money, w webhooks, d
 * developers, s settings and people.
 */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    page: HomePage,
    menu: { label: 'Home', letter: 'h', icon: House },
  },
  {
    path: '/orders',
    page: lazy(() => import('./pages/orders/page.tsx')),
    menu: { label: 'Orders', letter: 'o', icon: Receipt },
  },
  { path: '/orders/:orderId', page: lazy(() => import('./pages/order/page.tsx')) },
  {
    path: '/money',
    hasTabs: true,
    page: lazy(() => import('./pages/money/page.tsx')),
    menu: { label: 'Money', letter: 'm', icon: Wallet },
  },
  {
    path: '/statements/:month',
    within: '/money',
    page: lazy(() => import('./pages/statement/page.tsx')),
  },
  {
    path: '/webhooks',
    hasTabs: true,
    page: lazy(() => import('./pages/webhooks/page.tsx')),
    menu: { label: 'Webhooks', letter: 'w', icon: Webhook },
  },
  {
    path: '/deliveries/:deliveryId',
    within: '/webhooks',
    page: lazy(() => import('./pages/delivery/page.tsx')),
  },
  {
    path: '/developers',
    hasTabs: true,
    page: lazy(() => import('./pages/developers/page.tsx')),
    menu: { label: 'Developers', letter: 'd', icon: Code },
  },
  {
    path: '/settings',
    hasTabs: true,
    page: lazy(() => import('./pages/settings/page.tsx')),
    menu: { label: 'Settings and people', letter: 's', icon: Settings },
  },
  { path: '/security', page: lazy(() => import('./pages/security/page.tsx')) },
];
