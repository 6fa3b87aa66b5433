/** Settings by measurement and name. */
type Settings = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Reads the settings from a form whose fields have names such as `/settings/silence/minSeconds`. undefined: all fields are empty. */
export function settingsOf(form: FormData): Settings | undefined {
  let settings: Settings = {};
  for (const [field, value] of form) {
    const [, measurement, name] = /^\/settings\/(\w+)\/(\w+)$/.exec(field) ?? [];
    if (measurement === undefined || name === undefined || value === '') continue;
    settings = { ...settings, [measurement]: { ...settings[measurement], [name]: Number(value) } };
  }
  return Object.keys(settings).length === 0 ? undefined : settings;
}
