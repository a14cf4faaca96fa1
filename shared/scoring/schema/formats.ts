import formats from 'ajv-formats/dist/formats.js';
export const FORMATS: any = { ...formats.fullFormats };
export const KNOWN_FORMATS: ReadonlySet<string> = new Set(Object.keys(FORMATS));
