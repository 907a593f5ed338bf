const { writeFileSync } = require('node:fs');
const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils');
const flows = require('@medusajs/medusa/core-flows');

/**
 * One region, one product, one way to ship and one to pay: what its starter's own seed makes, and
 * no more.
 */
module.exports.default = async function seed({ container }) {
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const [channel] = await run(flows.createSalesChannelsWorkflow, {
    salesChannelsData: [{ name: 'Bench' }],
  });
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      {
        name: 'Pakistan',
        currency_code: 'pkr',
        countries: ['pk'],
        payment_providers: ['pp_system_default'],
      },
    ],
  });
  await run(flows.createTaxRegionsWorkflow, [{ country_code: 'pk', provider_id: 'tp_system' }]);
  const [location] = await run(flows.createStockLocationsWorkflow, {
    locations: [
      { name: 'Lahore', address: { city: 'Lahore', country_code: 'PK', address_1: '1 Mall Road' } },
    ],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' },
  });
  const [profile] = await run(flows.createShippingProfilesWorkflow, {
    data: [{ name: 'Default', type: 'default' }],
  });
  const fulfillment = container.resolve(Modules.FULFILLMENT);
  const set = await fulfillment.createFulfillmentSets({
    name: 'Delivery',
    type: 'shipping',
    service_zones: [{ name: 'Pakistan', geo_zones: [{ country_code: 'pk', type: 'country' }] }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  });
  const [shipping] = await run(flows.createShippingOptionsWorkflow, [
    {
      name: 'Standard',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Standard', description: 'Standard', code: 'standard' },
      prices: [{ currency_code: 'pkr', amount: 500 }],
      rules: [
        { attribute: 'enabled_in_store', value: 'true', operator: 'eq' },
        { attribute: 'is_return', value: 'false', operator: 'eq' },
      ],
    },
  ]);
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] });
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Bench', type: 'publishable', created_by: '' }],
  });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: 'Cart',
        status: 'published',
        shipping_profile_id: profile.id,
        options: [{ title: 'Size', values: ['One'] }],
        variants: [
          {
            title: 'One',
            sku: 'CART-1',
            manage_inventory: false,
            options: { Size: 'One' },
            prices: [{ currency_code: 'pkr', amount: 1500.5 }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  const made = {
    key: key.token,
    region: region.id,
    variant: product.variants[0].id,
    shipping: shipping.id,
  };
  writeFileSync(process.env.SEEDED, JSON.stringify(made));
};
