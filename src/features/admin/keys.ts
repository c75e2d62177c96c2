/** Every query of the admin's screens starts with this key, so that one call reads them all again. */
export const adminKey = (...rest: readonly unknown[]) => ['admin', ...rest] as const;
