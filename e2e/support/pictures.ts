/** A 2 × 2 PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNQinIDIgYIBQAUtgMJkvhfbAAAAABJRU5ErkJggg==',
  'base64',
);
