// The budgets for thinking of Gemini 2.5. https://ai.google.dev/gemini-api/docs/thinking#set-budget

interface BudgetBounds {
  readonly least: number;
  readonly most: number;
  /** Whether thinking can be switched off. */
  readonly off: boolean;
}

/** The budgets that a model takes, beside -1 for its own choice: https://ai.google.dev/gemini-api/docs/thinking#set-budget */
export function budgetBounds(model: string): BudgetBounds | undefined {
  if (!model.includes('gemini-2.5')) return undefined;
  if (model.includes('flash-lite')) return { least: 512, most: 24_576, off: true };
  if (model.includes('flash')) return { least: 0, most: 24_576, off: true };
  return model.includes('pro') ? { least: 128, most: 32_768, off: false } : undefined;
}

/** Whether a budget is one that the model takes. */
export const inBounds = (budget: number, { least, most, off }: BudgetBounds): boolean =>
  budget === -1 || (budget === 0 && off) || (budget >= least && budget <= most);

/** The nearest budget that the model takes. */
export const nearestBudget = (budget: number, { least, most }: BudgetBounds): number =>
  Math.min(most, Math.max(least, budget));
