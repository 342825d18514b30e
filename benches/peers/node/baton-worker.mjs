// A worker of Baton's TypeScript SDK whose jobs do nothing, for `baton bench remote --worker`.
import { Baton } from "../../../sdks/typescript/dist/index.mjs";

const app = new Baton();
const noop = app.job(process.env.BATON_KIND, {}, () => null);
await app.worker({ slots: Number(process.env.BATON_SLOTS), jobs: [noop] }).run();
