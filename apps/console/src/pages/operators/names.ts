export const ROLES = { viewer: 'Viewer', support: 'Support', admin: 'Admin' };

export const ROLE_HINTS = {
  viewer: 'Viewer: reads everything but operators',
  support: 'Support: also resolves orders, claims and webhooks',
  admin: 'Admin: everything, money and operators too',
};

export const STATUSES = { active: 'Active', suspended: 'Suspended' };
