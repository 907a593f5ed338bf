import { expect, test } from 'vitest';
import { letsAdminIn, refuseOwnDecision } from './portal.ts';

const [viewer, admin] = [
  { role: 'viewer', status: 'active' },
  { role: 'admin', status: 'active' },
] as const;
const [noViewer, noAdmin] = [
  { role: 'viewer', status: 'suspended' },
  { role: 'admin', status: 'suspended' },
] as const;

test.for([
  ['a viewer becomes one', viewer, admin, true],
  ['a suspended viewer becomes one', noViewer, admin, true],
  ['a suspended viewer gets the role alone', noViewer, noAdmin, true],
  ['a suspended admin is active again', noAdmin, admin, true],
  ['an admin stays one', admin, admin, false],
  ['a suspended admin stays suspended', noAdmin, noAdmin, false],
  ['an admin is suspended', admin, noAdmin, false],
  ['an admin becomes a viewer', admin, viewer, false],
  ['a suspended admin comes back as a viewer', noAdmin, viewer, false],
  ['a suspended viewer is active again', noViewer, viewer, false],
] as const)('whether an admin is let in where %s', ([, before, after, lets]) => {
  expect(letsAdminIn(before, after)).toBe(lets);
});

test.for([
  ['two operators decide it', { ownKeysAllowed: false }, true, true, true],
  ['the merchant issues its own keys', { ownKeysAllowed: true }, true, true, false],
  ['one operator decides it', { ownKeysAllowed: false }, false, true, false],
  ['no second operator is required', { ownKeysAllowed: false }, true, false, false],
] as const)(
  'whether an admin is refused a change where %s',
  ([, merchant, two, required, refused]) => {
    const objection = refuseOwnDecision(merchant, two, { requireSecondOperator: required });
    expect(objection !== undefined).toBe(refused);
  },
);
