// The shop's memory: what a database would hold.

/**
 * @typedef {'awaiting_face' | 'paid' | 'refused' | 'abandoned'} OrderStatus
 * @typedef {{ id: string, customer: string, amount: number, status: OrderStatus, challengeId: string | null }} Order
 */

/** @type {Map<string, Order>} */
const orders = new Map();
/** FeatureIDs of each customer, newest last: what to compare the next face with. @type {Map<string, string[]>} */
const featids = new Map();
/** Webhook deliveries dealt with. @type {Set<string>} */
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
 * What a result means to the shop. The order is found by `customer_reference`; a delivery that was seen changes nothing.
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
  // Only a face that passed is enrolled: of a failed one there is no FeatureID, or not the customer's.
  const featid = result.liveness_result?.liveness_featid;
  if (order.status === 'paid' && featid)
    featids.set(order.customer, [...featidsOf(order.customer), featid].slice(-5));
}
