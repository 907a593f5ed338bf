import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } from '@vendure/core';
import { populate } from '@vendure/core/cli/index.js';

/**
 * A Vendure shop with one product, one way to ship and one to pay, as its documentation sets one
 * up, without its search and dashboard.
 */
const config = {
  apiOptions: {
    port: Number(process.env.PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: 'bench', password: randomUUID() },
    requireVerification: false,
  },
  dbConnectionOptions: {
    type: 'postgres',
    synchronize: true,
    logging: false,
    host: process.env.PGHOST,
    username: process.env.PGUSER,
    password: process.env.PGPASSWORD,
    database: process.env.PGDATABASE,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  importExportOptions: { importAssetsDir: tmpdir() },
  logger: new DefaultLogger({ level: LogLevel.Error, timestamp: false }),
  plugins: [],
};

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Asia',
  countries: [{ name: 'Pakistan', code: 'PK', zone: 'Asia' }],
  taxRates: [{ name: 'Standard', percentage: 10 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [
    {
      name: 'Standard payment',
      handler: {
        code: 'dummy-payment-handler',
        arguments: [{ name: 'automaticSettle', value: 'true' }],
      },
    },
  ],
  collections: [],
};

const products = path.join(mkdtempSync(path.join(tmpdir(), 'vendure-bench-')), 'products.csv');
writeFileSync(
  products,
  `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Cart,cart,A cart,,,,,CART-1,1500.50,Standard,100000000,false,,
`,
);
// Filled by an instance of its own, on a port nobody uses meanwhile, as `npx @vendure/create` does.
const filling = await populate(
  () => bootstrap({ ...config, apiOptions: { ...config.apiOptions, port: 0 } }),
  initialData,
  products,
);
await filling.close();
const app = await bootstrap({
  ...config,
  dbConnectionOptions: { ...config.dbConnectionOptions, synchronize: false },
});
process.on('SIGTERM', () => app.close().finally(() => process.exit(0)));
