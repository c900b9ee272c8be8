/** Classes that stand in for those of DiSNI that enter native code or the inside of the JDK. */
package com.ibm.disni.util;
