import { policyAllows, type PermittedOptions } from './permitted.ts'

/** Whether a camera may be asked for at all. Firefox and Safari decide only then. */
export const mayUseCamera = ({ document, navigator }: PermittedOptions): boolean =>
  typeof navigator.mediaDevices?.getUserMedia === 'function' && policyAllows(document, 'camera')
