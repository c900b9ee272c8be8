package io.metaroce.tools.lab;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shares such that nobody can have more without somebody who has no more than he having less: water-filling. */
final class MaxMin {
    private MaxMin() {}

    /**
     * Shares of flows in stages of limited rate.
     *
     * @param rates of each stage
     * @param flows the stages that each flow passes; each passes one at least
     */
    static double[] shares(Map<String, Double> rates, List<List<String>> flows) {
        double[] shares = new double[flows.size()];
        Arrays.fill(shares, Double.NaN);
        Map<String, Double> left = new TreeMap<>(rates);
        for (int open = flows.size(); open > 0; ) {
            Map<String, Integer> users = users(flows, shares);
            String full = narrowest(left, users);
            double share = left.getOrDefault(full, 0.0) / users.getOrDefault(full, 1);
            for (int i = 0; i < shares.length; i++) {
                if (Double.isNaN(shares[i]) && flows.get(i).contains(full)) {
                    shares[i] = share;
                    open--;
                    flows.get(i).forEach(stage -> left.merge(stage, -share, Double::sum));
                }
            }
        }
        return shares;
    }

    /** How many flows that have no share yet pass each stage. */
    private static Map<String, Integer> users(List<List<String>> flows, double[] shares) {
        Map<String, Integer> users = new TreeMap<>();
        for (int i = 0; i < shares.length; i++) {
            if (Double.isNaN(shares[i])) {
                flows.get(i).forEach(stage -> users.merge(stage, 1, Integer::sum));
            }
        }
        return users;
    }

    private static String narrowest(Map<String, Double> left, Map<String, Integer> users) {
        String found = "";
        double least = Double.POSITIVE_INFINITY;
        for (Map.Entry<String, Integer> one : users.entrySet()) {
            double each = left.getOrDefault(one.getKey(), Double.POSITIVE_INFINITY) / one.getValue();
            if (found.isEmpty() || each < least) {
                found = one.getKey();
                least = each;
            }
        }
        return found;
    }
}
