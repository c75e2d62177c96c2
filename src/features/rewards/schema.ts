import * as z from 'zod/mini';
import * as databaseSentences from '@/types/database-errors';

const optional = (length: number) => z.string().check(z.trim(), z.maxLength(length, databaseSentences.TEXT_TOO_LONG));
const required = (length: number, message: string) =>
  z.string().check(z.trim(), z.minLength(1, message), z.maxLength(length, databaseSentences.TEXT_TOO_LONG));

/** Where a reward goes by post (C-93). Some countries have no postal codes. */
export const addressSchema = z.object({
  name: required(120, 'Please enter a name'),
  street: required(200, 'Please enter a street and number'),
  extra: optional(200),
  postal_code: optional(20),
  city: required(120, 'Please enter a town or city'),
  region: optional(120),
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'Please choose a country')),
});

export type Address = z.infer<typeof addressSchema>;

/** ISO 3166-1 alpha-2 codes of countries and territories. */
const countryCodes =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD
CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM
GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK
LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF
PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK
TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s/);

/** Countries by their English names, for a select. */
export function countries(): { code: string; name: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return countryCodes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The country of the browser's languages, as a guess; empty when they name none. */
export function likelyCountry(languages: readonly string[] = navigator.languages): string {
  for (const language of languages) {
    const region = new Intl.Locale(language).region;
    if (region && countryCodes.includes(region)) return region;
  }
  return '';
}
