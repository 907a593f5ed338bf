import Type from 'typebox';
import { ROLE } from './contract/operator.ts';

/** Who an operator is. */
export const operatorFields = {
  operatorId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  role: ROLE,
};
