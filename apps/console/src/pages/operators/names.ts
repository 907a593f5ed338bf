export const ROLES = { viewer: 'Viewer', support: 'Support', admin: 'Admin', approver: 'Approver' };

export const ROLE_HINTS = {
  viewer: 'Viewer: reads everything but operators',
  support: 'Support: also resolves orders, claims and webhooks',
  admin: 'Admin: also money, merchants, members and operators',
  approver: 'Approver: also approves what others ask for',
};

export const STATUSES = { active: 'Active', suspended: 'Suspended' };
