// The shop's in-memory data; a real shop would keep it in a database.

/**
 * @typedef {'awaiting_face' | 'paid' | 'refused' | 'abandoned'} OrderStatus
 * @typedef {{ id: string, customer: string, amount: number, status: OrderStatus, challengeId: string | null }} Order
 */

/** @type {Map<string, Order>} */
const orders = new Map();
/** FeatureIDs of each customer, newest last; the next face is compared with them. @type {Map<string, string[]>} */
const featids = new Map();
/** Webhook deliveries already processed. @type {Set<string>} */
const deliveries = new Set();

/** @param {string} customer @param {number} amount @returns {Order} */
export function openOrder(customer, amount) {
  /** @type {Order} */
  const order = { id: crypto.randomUUID(), customer, amount, status: 'awaiting_face', challengeId: null };
  orders.set(order.id, order);
  return order;
}

/** @param {string} id */
export const findOrder = (id) => orders.get(id);

/** @param {string} customer */
export const featidsOf = (customer) => featids.get(customer) ?? [];

/**
 * Applies a result to its order, which is found by `customer_reference`. A delivery already seen changes nothing.
 * @param {string} deliveryId
 * @param {import('likeness').ChallengeResult} result
 */
export function settleOrder(deliveryId, result) {
  if (deliveries.has(deliveryId)) return;
  deliveries.add(deliveryId);
  const order = orders.get(result.customer_reference ?? '');
  if (order?.status !== 'awaiting_face') return;
  if (result.status === 'expired') order.status = 'abandoned';
  else order.status = result.overall_result === 'pass' ? 'paid' : 'refused';
  // Enrol only a face that passed. A failed one has no FeatureID, or one that is not the customer's.
  const featid = result.liveness_result?.liveness_featid;
  if (order.status === 'paid' && featid)
    featids.set(order.customer, [...featidsOf(order.customer), featid].slice(-5));
}
