/** What searchKey of core makes of a text, as SQL: spaces and punctuation gone, in capitals. */
export const searchKeyOf = (column: string) => `upper(translate(${column}, ' -./+', ''))`;
