/** The thread of the keeper. */

import { parentPort, workerData } from "node:worker_threads";

import { Keeper } from "./keeper";
import type { KeeperData, ToHandlers, ToKeeper } from "./messages";

const port = parentPort!;
const keeper = new Keeper(workerData as KeeperData, (message: ToHandlers) => port.postMessage(message));
port.on("message", (message: ToKeeper) => keeper.hear(message));
void keeper.run().then(() => process.exit(0));
