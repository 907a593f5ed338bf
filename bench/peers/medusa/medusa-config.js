const { defineConfig } = require('@medusajs/framework/utils');

/** As its starter has it, without the dashboard. */
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false, sslmode: 'disable' },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: 'bench',
      cookieSecret: 'bench',
    },
  },
  admin: { disable: true },
});
