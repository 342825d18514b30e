/** Schemas of any library that keeps to Standard Schema: zod, valibot, arktype and others. */

import { PayloadError } from "./errors";

/** What this package uses of a Standard Schema, version 1. */
export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<{ readonly message: string; readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined }> };

/** The value as its schema gives it; throws `PayloadError` where it is no such value. */
export function load<Output>(schema: Schema<any, Output> | undefined, value: unknown, what = "payload"): Output | Promise<Output> {
  if (!schema) return value as Output;
  const checked = schema["~standard"].validate(value);
  return checked instanceof Promise ? checked.then((one) => opened(one, what)) : opened(checked, what);
}

function opened<Output>(checked: Checked<Output>, what: string): Output {
  if (!checked.issues) return checked.value;
  const told = checked.issues.map(({ path = [], message }) => {
    const steps = path.map((step) => (typeof step === "object" ? step.key : step));
    return `${[what, ...steps].map(String).join(".")}: ${message}`;
  });
  throw new PayloadError(told.join("; "));
}
