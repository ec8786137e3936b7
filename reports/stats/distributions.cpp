// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/distributions.h"

#include <boost/math/distributions/students_t.hpp>

namespace reports::stats {

double student_t_quantile(double p, double freedom) {
    return boost::math::quantile(boost::math::students_t(freedom), p);
}

}  // namespace reports::stats
