#!/usr/bin/env node
import { createProgram, run } from './program.ts';

/** `munshi` as it comes with the SDK. In a clone, bin/munshi.ts adds what works on the database. */
await run(createProgram());
