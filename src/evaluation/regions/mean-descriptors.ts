// Mean of the pooled map over many people, region by region: taken off, so that what is common to all faces does not
// make strangers alike. Written by the region calibration bench; part of REGION_LAYOUT.

const STEP = 1;
const QUANTISED = '';

/** Twelve means of DESCRIPTOR_SIZE values, in the order of REGION_NAMES. */
export function meanDescriptors(): Float32Array {
  return Float32Array.from(Buffer.from(QUANTISED, 'base64'), (value) => value * STEP);
}
