import { describe, expect, test, vi } from "vitest";
import type { Actions } from "../../src/controls";
import { actionOf } from "../../src/keyboard";

/** What a key asks for, as the name of the action and its arguments. */
function asked(key: string, shift = false): unknown[] {
  const calls: unknown[] = [];
  const recorder = new Proxy({} as Actions, {
    get: (_target, name) => vi.fn((...args: unknown[]) => calls.push(name, ...args)),
  });
  actionOf(key, shift, 90)?.(recorder);
  return calls;
}

describe("keys", () => {
  test("ask for what the help says", () => {
    expect(asked(" ")).toEqual(["togglePlay"]);
    expect(asked("K", true)).toEqual(["togglePlay"]);
    expect(asked("ArrowLeft")).toEqual(["step", -1]);
    expect(asked("Home")).toEqual(["seekFrame", 0]);
    expect(asked("End")).toEqual(["seekFrame", 90]);
    expect(asked("<")).toEqual(["changeSpeed", -1]);
    expect(asked("w")).toEqual(["toggleWireframe"]);
    expect(asked("ArrowUp", true)[0]).toBe("turnView");
  });

  test("that mean nothing ask for nothing", () => {
    for (const key of ["a", "Tab", "Enter", "ArrowUp", "F5", "constructor"]) {
      expect(asked(key)).toEqual([]);
    }
  });
});
