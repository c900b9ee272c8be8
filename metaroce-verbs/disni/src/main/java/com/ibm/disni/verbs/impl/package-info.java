/** The provider that stands in for DiSNI's native one. */
package com.ibm.disni.verbs.impl;
